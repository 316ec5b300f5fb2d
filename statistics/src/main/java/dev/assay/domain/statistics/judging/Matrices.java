package dev.assay.domain.statistics.judging;

/** Small square matrices. */
final class Matrices {

    private Matrices() {}

    /** The inverse of a positive definite matrix, by Gauss and Jordan: no pivot is 0. Leaves {@code original} as it is. */
    static double[][] inverse(double[][] original) {
        int size = original.length;
        double[][] matrix = new double[size][];
        double[][] inverse = new double[size][size];
        for (int i = 0; i < size; i++) {
            matrix[i] = original[i].clone();
            inverse[i][i] = 1;
        }
        for (int pivot = 0; pivot < size; pivot++) {
            double scale = 1 / matrix[pivot][pivot];
            for (int j = 0; j < size; j++) {
                matrix[pivot][j] *= scale;
                inverse[pivot][j] *= scale;
            }
            for (int row = 0; row < size; row++) {
                double factor = row == pivot ? 0 : matrix[row][pivot];
                for (int j = 0; j < size; j++) {
                    matrix[row][j] -= factor * matrix[pivot][j];
                    inverse[row][j] -= factor * inverse[pivot][j];
                }
            }
        }
        return inverse;
    }

    static double[] times(double[][] matrix, double[] vector) {
        double[] product = new double[matrix.length];
        for (int i = 0; i < matrix.length; i++) {
            product[i] = dot(matrix[i], vector);
        }
        return product;
    }

    /** vectorᵀ matrix vector. */
    static double quadratic(double[][] matrix, double[] vector) {
        return dot(vector, times(matrix, vector));
    }

    static double dot(double[] one, double[] other) {
        double sum = 0;
        for (int i = 0; i < one.length; i++) {
            sum += one[i] * other[i];
        }
        return sum;
    }
}
